import type { EntityDeclaration } from '#schemas/entity.ts'
import type { HistoryItem, Row } from '#web/entity/entity-query.ts'
import { EntityForm } from './entity-form.tsx'
import { EntityReader } from './reading-view.tsx'
import { RevisionForm } from './revision-form.tsx'
import type { useEntityForm } from './use-entity-form.ts'

interface Moment {
  readonly chosen: HistoryItem | undefined
  readonly moment: number | undefined
  /** The fields as they stood at that moment. */
  readonly then: Row | undefined
  ofField(field: string): void
}

interface Props {
  readonly entity: EntityDeclaration
  readonly row: Row
  readonly hidden: ReadonlySet<string>
  readonly state: ReturnType<typeof useEntityForm>
  readonly history: Moment
  readonly readOnly: boolean
  readonly isReading: boolean
}

/** A thing as it was, as it is read while nothing in it is changed, or its form. */
export const DetailBody = ({ entity, row, hidden, state, history, readOnly, isReading }: Props) => {
  const { chosen, moment, then } = history
  if (moment !== undefined && then !== undefined)
    return <RevisionForm key={moment} entity={entity} row={{ ...row, ...then }} chosen={chosen} hidden={hidden} />
  if (isReading && state.dirty.length === 0) return <EntityReader entity={entity} row={row} />
  return (
    <EntityForm
      entity={entity}
      id={row.id}
      form={state.form}
      creating={false}
      readOnly={readOnly}
      dirty={state.dirty}
      errors={state.errors}
      failure={state.failure}
      refusals={state.refusals}
      conflicts={state.conflicts}
      onLeave={state.check}
      meanwhile={state.meanwhile}
      chosen={chosen}
      hidden={hidden}
      onHistory={history.ofField}
    />
  )
}
