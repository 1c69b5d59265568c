/** A text that the owner typed. */
export interface OwnerText {
  /**
   * `now`: typed for this task. `standing`: the Bron's instruction, which asks in every task.
   * `earlier`: typed for an earlier task of the conversation. It asks for nothing any more, but
   * explains words such as "her", and what it forbids stays forbidden.
   */
  readonly when: "now" | "standing" | "earlier";
  readonly text: string;
  /** The owner said that all of it is theirs. */
  readonly asTyped?: true;
}
