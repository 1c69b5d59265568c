/** The letter b of the name, in the color of the primary action. */
export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M11 7v17"
        className="stroke-on-accent"
        strokeWidth="3.4"
        strokeLinecap="round"
        fill="none"
      />
      <circle
        cx="17"
        cy="18.7"
        r="5.3"
        className="stroke-on-accent"
        strokeWidth="3.4"
        fill="none"
      />
    </svg>
  );
}
