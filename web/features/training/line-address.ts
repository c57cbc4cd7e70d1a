import type { StatementOwner } from '#web/features/statement/index.ts'

/** Address of an intent's lines, with one of them marked. */
export const intentAddress = (
  { parent, entity }: StatementOwner,
  project: string,
  intent: string,
  line?: string,
): string =>
  `/${parent}/${entity}/${project}?intent=${intent}${line === undefined ? '' : `&line=${encodeURIComponent(line)}`}`
