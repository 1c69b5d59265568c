/** What the last day of a run that ends gets back. See `drawForDay` of core. */
export const settledDay = (release: string, charged: string) => `
  update owner_spending d set drawn_microusd = greatest(0, d.drawn_microusd - s.back)
  from (
    select run.owner_id, before.drawn_day as day, sum(greatest(0, before.day_drawn_microusd
      - greatest(0, coalesce(${charged}, before.spent_microusd) - before.day_base_microusd))) as back
    from run join runs before on before.id = run.id where ${release} = 'end' and before.drawn_day is not null group by 1, 2
  ) s
  where d.owner_id = s.owner_id and d.day = s.day and s.back <> 0`;

/**
 * What an owner's cap gets back. Aggregated by owner, because an update uses only one joined row per
 * target row.
 */
export const settledOwner = (release: string, drawn: string) => `
  update owners o set drawn_microusd = greatest(0, o.drawn_microusd - s.back)
  from (
    select run.owner_id, sum(before.drawn_microusd + ${drawn} - run.drawn_microusd) as back from run
      join runs before on before.id = run.id where ${release} = 'end' group by run.owner_id
  ) s
  where o.id = s.owner_id and s.back <> 0`;
