import { chakra, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { same } from '#domain/json-equal.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ListField } from '#schemas/field/kind.ts'
import type { ItemConflict } from '#schemas/refusal.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { ValueText } from '#web/entity/value-text.tsx'

type Side = 'before' | 'yours' | 'theirs'

/** Title of the item, from before both changes if it existed. */
export const itemTitle = ({ itemTitle: member }: ListField, { before, yours, theirs, id }: ItemConflict): string => {
  const title = (before ?? yours ?? theirs)?.[member]
  return typeof title === 'string' && title.trim() !== '' ? title : id
}

/** Members of which one side has another value than the rest; a secret shows nothing of its values. */
const differingMembers = ({ item: fields }: ListField, { before, yours, theirs }: ItemConflict): readonly string[] => {
  const sides = [before, yours, theirs].filter((side): side is JsonObject => side !== null)
  const names = Object.keys(fields).filter(name => {
    const [first = null, ...others] = sides.map(side => side[name] ?? null)
    return others.some(value => !same(value, first))
  })
  return names.length > 0 ? names : Object.keys(fields).filter(name => fields[name]?.secret === true)
}

interface Props {
  readonly entity: string
  readonly path: string
  readonly field: ListField
  readonly item: ItemConflict
  readonly side: Side
}

/** An item as one side has it: the fields of it that differ, or that it is not in the list. */
export const ItemText = ({ entity, path, field, item, side }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const texts = label.texts(entity, path)
  const shown = item[side]
  if (shown === null) return <chakra.em color="fg.subtle">{t('conflict.noitem')}</chakra.em>
  return differingMembers(field, item).map((name, index) => (
    <chakra.span key={name} overflowWrap="anywhere">
      {index === 0 ? null : <br />}
      <Text as="span" color="fg.muted" fontWeight="normal">
        {texts.member(name).label}:{' '}
      </Text>
      {field.item[name]?.secret === true && shown[name] !== null ? (
        '••••'
      ) : (
        <ValueText entity={entity} path={`${path}.0.${name}`} value={(shown[name] ?? null) as Value} />
      )}
    </chakra.span>
  ))
}

/** Every item in conflict, by its title, as the other one saved it and as it was before both. */
export const ItemTexts = ({
  items,
  ...props
}: Omit<Props, 'item' | 'side'> & { readonly items: readonly ItemConflict[] }) => {
  const { t } = useTranslation('shell')
  return items.map(item => (
    <chakra.span key={item.id} display="block" mt="1">
      <b>{itemTitle(props.field, item)}</b>
      <br />
      <ItemText {...props} item={item} side="theirs" />
      <chakra.span display="block" textStyle="secondary" color="fg.muted">
        <ItemText {...props} item={item} side="before" /> ({t('form.beforeboth')})
      </chakra.span>
    </chakra.span>
  ))
}
