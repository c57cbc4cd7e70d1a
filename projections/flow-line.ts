/** Types of the audit lines of flows, by action: one line stands for a run of edits, or for one command. */
export const FLOW_LINE_TYPES = { edited: 'FlowEdited', imported: 'FlowImported', restored: 'FlowRestored' } as const

/** Those types as a list in SQL. */
export const FLOW_LINES_SQL = Object.values(FLOW_LINE_TYPES)
  .map(type => `'${type}'`)
  .join(', ')
