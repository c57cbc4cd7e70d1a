import type { ReferenceField } from './block-field.ts'

const TARGETS: Readonly<Record<Exclude<ReferenceField['to'], 'block' | 'variable'>, true>> = {
  bot: true,
  dialogtask: true,
  dialog: true,
  handler: true,
  variableschema: true,
  oauth: true,
}

/** Entities that blocks of a flow point to. */
export const ENTITIES_IN_FLOWS: ReadonlySet<string> = new Set(Object.keys(TARGETS))
