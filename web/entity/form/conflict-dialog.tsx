import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Diff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ListField } from '#schemas/field/kind.ts'
import { jsonEqual } from '#schemas/json.ts'
import type { ItemConflict } from '#schemas/refusal.ts'
import type { LocalizedFieldProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Modal } from '#web/components/modal.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { usePerson } from '#web/entity/person-query.ts'
import { ValueText } from '#web/entity/value-text.tsx'
import type { FieldTexts } from '#web/form/form-value.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { type Conflict, choiceKey } from './use-entity-form.ts'

type Side = 'before' | 'yours' | 'theirs'

/** Title of the item, from before both changes if it existed. */
const itemTitle = (
  { item, itemTitle: member }: ListField,
  { before, yours, theirs, id }: ItemConflict,
  texts: FieldTexts,
): string => {
  const title = (before ?? yours ?? theirs)?.[member]
  if (typeof title !== 'string' || title.trim() === '') return id
  return item[member]?.kind === 'enumeration' ? texts.member(member).option(title) : title
}

/** Members of which one side has another value than the rest; a secret shows nothing of its values. */
const differingMembers = ({ item: fields }: ListField, { before, yours, theirs }: ItemConflict): readonly string[] => {
  const sides = [before, yours, theirs].filter((side): side is JsonObject => side !== null)
  const names = Object.keys(fields).filter(name => {
    const [first = null, ...others] = sides.map(side => side[name] ?? null)
    return others.some(value => !jsonEqual(value, first))
  })
  return names.length > 0 ? names : Object.keys(fields).filter(name => fields[name]?.secret === true)
}

interface ConflictItemProps {
  readonly entity: string
  readonly path: string
  readonly field: ListField
  readonly item: ItemConflict
  readonly side: Side
}

/** An item as one side has it: the fields of it that differ, or that it is not in the list. */
const ItemText = ({ entity, path, field, item, side }: ConflictItemProps) => {
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
}: Omit<ConflictItemProps, 'item' | 'side'> & { readonly items: readonly ItemConflict[] }) => {
  const { t } = useTranslation('shell')
  const texts = useLabel().texts(props.entity, props.path)
  return items.map(item => (
    <chakra.span key={item.id} display="block" mt="1">
      <b>{itemTitle(props.field, item, texts)}</b>
      <br />
      <ItemText {...props} item={item} side="theirs" />
      <chakra.span display="block" textStyle="secondary" color="fg.muted">
        <ItemText {...props} item={item} side="before" /> ({t('form.beforeboth')})
      </chakra.span>
    </chakra.span>
  ))
}

/** Changes since one began that are looked through. */
const MAX_CHANGES = 100

interface Props {
  readonly entity: EntityDeclaration
  readonly row: Row
  readonly conflict: Conflict
  readonly busy: boolean
  onResolve(own: ReadonlySet<string>): void
  onClose(): void
}

interface ChoiceProps {
  readonly name: string
  readonly chosen: boolean
  readonly who: React.ReactNode
  readonly children: React.ReactNode
  onChoose(): void
}

const Choice = ({ name, chosen, who, children, onChoose }: ChoiceProps) => (
  <chakra.label
    display="block"
    p="3"
    borderWidth={chosen ? '2px' : '1px'}
    m={chosen ? '0' : '1px'}
    borderColor={chosen ? 'accent.solid' : 'border.emphasized'}
    borderRadius="md"
    cursor="pointer"
    _focusWithin={{
      outlineWidth: '2px',
      outlineStyle: 'solid',
      outlineColor: 'accent.focusRing',
      outlineOffset: '2px',
    }}
  >
    <HStack gap="2" mb="1.5" textStyle="secondary" color="fg.muted">
      <chakra.input
        type="radio"
        name={name}
        checked={chosen}
        onChange={onChoose}
        accentColor="accent.solid"
        outline="none"
      />
      {who}
    </HStack>
    <Box textStyle="title" overflowWrap="anywhere" maxH="140px" overflow="auto">
      {children}
    </Box>
  </chakra.label>
)

interface LastChange {
  readonly actor: NamedPerson | null
  readonly time: string
}

const WhoAndWhen = ({ actor, time }: LastChange) => (
  <>
    <PersonAvatar person={actor} size={20} />
    <span>
      {nameOf(actor)},{' '}
      <time dateTime={time} title={momentOf(time)}>
        {agoOf(time)}
      </time>
    </span>
  </>
)

interface Dispute {
  readonly key: string
  readonly path: string
  readonly name: string
  side(side: 'before' | 'yours' | 'theirs'): React.ReactNode
}

/** Separate choices: fields, and list items changed on both sides. */
const useDisputes = (entity: EntityDeclaration, errors: readonly LocalizedFieldProblem[]): readonly Dispute[] => {
  const label = useLabel()
  return errors.flatMap((error): readonly Dispute[] => {
    const { path, items } = error
    const { [path]: field } = entity.fields
    const name = label.field(entity.name, path)
    if (field?.kind === 'list' && items !== undefined)
      return items.map(item => ({
        key: choiceKey(path, item.id),
        path,
        name: `${name} › ${itemTitle(field, item, label.texts(entity.name, path))}`,
        side: side => <ItemText entity={entity.name} path={path} field={field} item={item} side={side} />,
      }))
    const unit = field?.unit === undefined ? '' : ` ${field.unit}`
    const side: Dispute['side'] = each => (
      <>
        <ValueText entity={entity.name} path={path} value={(error[each] ?? null) as Value} />
        {unit}
      </>
    )
    return [{ key: choiceKey(path), path, name, side }]
  })
}

/** Author and time of a field's last change since `base`; until loaded, of the row's. */
const useLastChange = (entity: EntityDeclaration, row: Row, base: number) => {
  const person = usePerson(row.modified_by)
  const params = { entity: entity.name, id: row.id }
  const { data } = useQuery({
    queryKey: [entity.name, 'history', row.id, 'after', base, row.revision],
    queryFn: () => http.get('/{entity}/{id}/history', { params, query: { after: base, size: MAX_CHANGES } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (path: string): LastChange =>
    data?.items.findLast(({ changes }) =>
      changes.some(change => change.path === path || change.path.startsWith(`${path}.`)),
    ) ?? { actor: person ?? null, time: row.modified_at }
}

interface DisputeProps {
  readonly dispute: Dispute
  readonly isTitled: boolean
  readonly isOwn: boolean
  readonly theirs: LastChange
  onChoose(mine: boolean): void
}

const DisputeChoices = ({ dispute, isTitled, isOwn, theirs, onChoose }: DisputeProps) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { key, name, side } = dispute
  return (
    <Box mb="4" role="group" aria-label={name}>
      {isTitled ? (
        <Text textStyle="label" mb="1.5">
          {name}
        </Text>
      ) : null}
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="3">
        <Choice
          name={key}
          chosen={isOwn}
          onChoose={() => onChoose(true)}
          who={
            <>
              <PersonAvatar person={user} size={20} /> {t('conflict.yours')}
            </>
          }
        >
          {side('yours')}
        </Choice>
        <Choice name={key} chosen={!isOwn} onChoose={() => onChoose(false)} who={<WhoAndWhen {...theirs} />}>
          {side('theirs')}
        </Choice>
      </SimpleGrid>
      <Box textStyle="secondary" color="fg.muted" mt="2">
        {t('conflict.before')} {side('before')}
      </Box>
    </Box>
  )
}

/** Two people changed the same field, or the same item of a list: both values, and one choice for each. */
export const ConflictDialog = ({ entity, row, conflict, busy, onResolve, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { errors, body, base } = conflict
  const merged = Object.keys(body).filter(path => !errors.some(error => error.path === path))
  const lastChange = useLastChange(entity, row, base)
  const disputes = useDisputes(entity, errors)
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set(disputes.map(({ key }) => key)))
  const choose = (key: string, mine: boolean) => {
    const next = new Set(own)
    if (mine) next.add(key)
    else next.delete(key)
    setOwn(next)
  }
  const [first, second] = disputes
  const fieldName = errors[0] === undefined ? '' : label.field(entity.name, errors[0].path)
  const name = nameOf(lastChange(first?.path ?? '').actor)
  return (
    <Modal
      width={560}
      icon={<Diff size={18} aria-hidden="true" />}
      title={
        errors.length === 1
          ? t('conflict.title', { field: second === undefined ? first?.name : fieldName })
          : t('conflict.titles', { count: errors.length })
      }
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('conflict.keep')}
          </Button>
          <Button variant="solid" loading={busy} onClick={() => onResolve(own)}>
            {own.size === disputes.length
              ? t('conflict.mine')
              : own.size === 0
                ? t('conflict.theirs', { name })
                : t('conflict.both')}
          </Button>
        </>
      }
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {t('conflict.text', { name })}
        {merged.length > 0
          ? ` ${t('conflict.merged', { fields: merged.map(path => label.field(entity.name, path)).join(', ') })}`
          : ''}
      </Text>
      {disputes.map(dispute => (
        <DisputeChoices
          key={dispute.key}
          dispute={dispute}
          isTitled={second !== undefined}
          isOwn={own.has(dispute.key)}
          theirs={lastChange(dispute.path)}
          onChoose={mine => choose(dispute.key, mine)}
        />
      ))}
    </Modal>
  )
}
