/** Audit line types of flows, by action: one line per run of edits or per command. */
export const FLOW_LINE_TYPES = { edited: 'FlowEdited', imported: 'FlowImported', restored: 'FlowRestored' } as const

/** Those types as a list in SQL. */
export const FLOW_LINES_SQL = Object.values(FLOW_LINE_TYPES)
  .map(type => `'${type}'`)
  .join(', ')
