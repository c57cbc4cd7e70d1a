import type { BlockRule } from '../block.ts'

type Rules = Pick<BlockRule, 'when'> & { readonly severity?: BlockRule['severity'] }

/** An address of the web; one whose host is left out works only where something is put before it, and stops nobody. */
export const addressRules = (field: string, { severity = 'error', ...when }: Rules = {}): readonly BlockRule[] => [
  { field, check: 'address', severity, ...when },
  { field, check: 'host', severity: 'warning', ...when },
]
