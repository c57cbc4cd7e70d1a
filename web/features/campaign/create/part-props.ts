import type { MappedVariable } from '#domain/campaign/message-body.ts'
import type { RowOf } from '#schemas/row.ts'
import type { Step } from './steps.tsx'

/** Props of the steps after the first. */
export interface PartProps {
  readonly row: RowOf<'campaign'>
  readonly template: RowOf<'template'>
  /** The template that it is compared with. */
  readonly other: RowOf<'template'> | undefined
  readonly variables: readonly string[]
  /** Examples that Meta was given for the body, by variable. */
  readonly examples: ReadonlyMap<string, string>
  readonly mapping: readonly MappedVariable[]
  /** Contacts; undefined to who may not read them. */
  readonly count: number | undefined
  /** Names of the columns that the fields of contacts were imported from. */
  readonly names: Readonly<Record<string, string>>
  readonly done: Readonly<Partial<Record<Step, string>>>
  onGo(step: Step): void
}
