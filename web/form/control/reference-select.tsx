import { Box, HStack, NativeSelect } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { parentField } from '#schemas/entity.ts'
import { RemovableChip } from '#web/components/removable-chip.tsx'
import { assignableQuery, isAssignable, listQuery, useName } from '#web/entity/entity-query.ts'
import { ReferenceName } from '#web/entity/reference-name.tsx'

const MOST = 100

/** What a reference can point to: things of the same bot or task where they lie in one; roles and groups from above. */
const useOptions = (to: string, within: Readonly<Record<string, string>>) => {
  const known = isEntityName(to)
  const declaration = known ? entityOf(to) : undefined
  const parent = declaration ? parentField(declaration) : undefined
  const narrowed = parent !== undefined && within[parent] !== undefined ? { [parent]: within[parent] } : {}
  const { data } = useQuery({
    ...listQuery(to, { ...narrowed, size: MOST, ...(declaration ? { sort: declaration.title } : {}) }),
    enabled: known,
    staleTime: 30_000,
  })
  const above = useQuery({ ...assignableQuery(to), enabled: isAssignable(to) }).data?.items ?? []
  const rows = data?.items ?? []
  const isMixed = parent !== undefined && new Set(rows.map(row => row[parent])).size > 1
  const groups = useQuery({ ...listQuery(parent ?? '', { size: MOST }), enabled: isMixed, staleTime: 30_000 }).data
    ?.items
  const titles = new Map(groups?.map(row => [row.id, String(row.name ?? row.id)]))
  const own = rows.map(row => ({
    id: row.id,
    name: String(row[declaration?.title ?? 'name'] ?? row.id),
    group: isMixed ? titles.get(String(row[parent])) : undefined,
  }))
  return [...own, ...above.map(one => ({ ...one, group: undefined }))]
}

interface Option {
  readonly id: string
  readonly name: string
  /** In what it lies, where the list holds things of several. */
  readonly group: string | undefined
}

const Options = ({ options }: { readonly options: readonly Option[] }) =>
  [...Map.groupBy(options, ({ group }) => group)].map(([group, held]) => {
    const items = held.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))
    return group === undefined ? (
      items
    ) : (
      <optgroup key={group} label={group}>
        {items}
      </optgroup>
    )
  })

interface Common {
  readonly id: string
  readonly to: string
  readonly within: Readonly<Record<string, string>>
  readonly disabled: boolean
  readonly invalid: boolean
}

/** One of the things of an entity, or none. */
export const ReferenceSelect = ({
  id,
  to,
  within,
  disabled,
  invalid,
  required,
  value,
  onChange,
}: Common & { required: boolean; value: string | null; onChange: (value: string | null) => void }) => {
  const { t } = useTranslation('shell')
  const options = useOptions(to, within)
  const missing = value !== null && !options.some(option => option.id === value)
  const name = useName(to, missing ? value : null)
  return (
    <NativeSelect.Root disabled={disabled} invalid={invalid}>
      <NativeSelect.Field id={id} value={value ?? ''} onChange={event => onChange(event.target.value || null)}>
        <option value="">{t(required ? 'form.choose' : 'form.none')}</option>
        {missing ? <option value={value}>{name ?? t('form.elsewhere')}</option> : null}
        <Options options={options} />
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}

interface RemovableReferenceProps extends Pick<Common, 'to' | 'id' | 'disabled'> {
  onRemove(): void
}

const RemovableReference = ({ to, id, disabled, onRemove }: RemovableReferenceProps) => {
  const name = useName(to, id)
  return (
    <RemovableChip {...(name ? { name } : {})} disabled={disabled} onRemove={onRemove}>
      <ReferenceName to={to} id={id} />
    </RemovableChip>
  )
}

/** Several things of an entity, as chips. */
export const ReferencesSelect = ({
  id,
  to,
  within,
  disabled,
  invalid,
  value,
  onChange,
}: Common & { value: readonly string[]; onChange: (value: string[]) => void }) => {
  const { t } = useTranslation('shell')
  const options = useOptions(to, within).filter(option => !value.includes(option.id))
  return (
    <Box w="100%">
      {value.length > 0 ? (
        <HStack gap="1.5" flexWrap="wrap" mb="2">
          {value.map(one => (
            <RemovableReference
              key={one}
              to={to}
              id={one}
              disabled={disabled}
              onRemove={() => onChange(value.filter(other => other !== one))}
            />
          ))}
        </HStack>
      ) : null}
      <NativeSelect.Root disabled={disabled} invalid={invalid}>
        <NativeSelect.Field
          id={id}
          value=""
          onChange={event => {
            if (event.target.value !== '') onChange([...value, event.target.value])
          }}
        >
          <option value="">{t('form.add')}</option>
          <Options options={options} />
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Box>
  )
}
