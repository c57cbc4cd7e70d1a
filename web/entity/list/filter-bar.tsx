import { Button, HStack } from '@chakra-ui/react'
import { ListFilter } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { useLabel } from '#web/entity/label.ts'
import { FieldFilter } from './field-filter.tsx'
import { filterFields, filterKind, quickFilters } from './list-field.ts'
import type { ListState } from './list-state.ts'

interface Props {
  readonly entity: EntityDeclaration
  readonly state: ListState
  readonly fixed: Readonly<Record<string, string>>
  onChange(change: Partial<ListState>): void
}

/** Fields to filter by: not the parent that the page is about, nor references to what the person may not read. */
const useFields = (entity: EntityDeclaration, fixed: Readonly<Record<string, string>>) => {
  const { can } = useSession()
  return filterFields(entity).filter(name => {
    if (name in fixed) return false
    const to = entity.fields[name]?.to ?? ''
    return filterKind(entity, name) !== 'reference' || (isEntityName(to) && can(`read${to}`))
  })
}

/** The commonest filters and those in use as chips; the others in a menu. */
export const FilterBar = ({ entity, state, fixed, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const { t: tl } = useTranslation('list')
  const label = useLabel()
  const more = useRef<HTMLDivElement>(null)
  const [added, setAdded] = useState<string>()
  const fields = useFields(entity, fixed)
  const quick = quickFilters(entity)
  const isShown = (name: string) => quick.includes(name) || name in state.filter || name === added
  const hidden = fields.filter(name => !isShown(name))
  return (
    <>
      {fields.filter(isShown).map(field => (
        <FieldFilter
          key={field}
          entity={entity}
          field={field}
          state={state}
          fixed={fixed}
          isOpenAtFirst={field === added}
          onClose={() => {
            setAdded(undefined)
            if (field === added && !(field in state.filter)) more.current?.querySelector('button')?.focus()
          }}
          onChange={value => {
            const { [field]: _removed, ...rest } = state.filter
            onChange({ filter: value === undefined ? rest : { ...rest, [field]: value } })
          }}
        />
      ))}
      {hidden.length > 0 ? (
        <HStack ref={more} flex="none">
          <ActionMenu
            align="start"
            label={tl('filter.add')}
            actions={hidden.map(name => ({
              id: name,
              label: label.field(entity.name, name),
              run: () => setAdded(name),
            }))}
          >
            <Button variant="ghost" fontWeight="normal">
              <ListFilter size={15} aria-hidden="true" />
              {tl('filter.add')}
            </Button>
          </ActionMenu>
        </HStack>
      ) : null}
      {Object.keys(state.filter).length > 1 ? (
        <Button variant="plain" flex="none" onClick={() => onChange({ filter: {} })}>
          {t('list.clearall')}
        </Button>
      ) : null}
    </>
  )
}
