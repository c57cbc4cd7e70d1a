import type { EntityDeclaration } from '#schemas/entity.ts'
import type { HistoryItem, Row } from '#web/entity/entity-query.ts'
import { EntityForm } from './entity-form.tsx'
import { useEntityForm } from './use-entity-form.ts'

interface Props {
  readonly entity: EntityDeclaration
  /** As it stood then. */
  readonly row: Row
  readonly chosen?: HistoryItem | undefined
  readonly hidden?: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** Fields that the past does not show: words of people. */
const wordFields = ({ fields }: EntityDeclaration): string[] =>
  Object.keys(fields).filter(name => fields[name]?.words === true)

/** A form that only shows an earlier moment. */
export const RevisionForm = ({ entity, row, chosen, hidden = NONE }: Props) => {
  const { form } = useEntityForm({ entity, row, fixed: {}, onCreated: () => {} })
  return (
    <EntityForm
      entity={entity}
      form={form}
      creating={false}
      readOnly
      dirty={[]}
      errors={[]}
      failure={undefined}
      refusals={0}
      conflicts={[]}
      onLeave={() => {}}
      meanwhile={{}}
      chosen={chosen}
      hidden={new Set([...hidden, ...wordFields(entity)])}
      onHistory={undefined}
    />
  )
}
