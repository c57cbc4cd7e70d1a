import { Button, chakra, NativeSelect } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldPath } from '#domain/flow/location.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { useForm, useLabel, usePlace } from '../form-context.ts'
import { LineControl, TextControl } from '../plain-control.tsx'
import { SortableItems } from '../sortable-items.tsx'
import { type ElementKind, memberText, memberValue, newElement } from './adaptive-element.ts'
import { itemsAt } from './read-card.ts'

interface MemberProps {
  readonly kind: ElementKind
  readonly name: string
  readonly item: JsonObject
  readonly disabled: boolean
  readonly onWrite: (value: Json) => void
}

const Member = ({ kind, name, item, disabled, onWrite }: MemberProps) => {
  const { t } = useTranslation('designer')
  const id = useId()
  const member = kind.members[name] ?? 'line'
  const Control = member === 'line' ? LineControl : TextControl
  return (
    <div>
      <label className="pl-label-text" htmlFor={id}>
        {t(`adaptive.member.${name}`)}
      </label>
      <Control
        id={id}
        disabled={disabled}
        value={memberText(member, item[name])}
        onWrite={text => onWrite(memberValue(member, text, item[name]))}
      />
    </div>
  )
}

interface BuilderProps {
  /** A field that holds a list of elements as JSON. */
  readonly path: FieldPath
  readonly kinds: readonly ElementKind[]
}

/** A card's elements one by one; those that it does not know are shown by their type and kept as they are. */
export const AdaptiveBuilder = ({ path, kinds }: BuilderProps) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const label = useLabel(path)
  const { set, mayEdit } = usePlace(path, undefined)
  const [first] = kinds
  const [chosen, choose] = useState(first?.type ?? '')
  const items = itemsAt(node.properties, path[0])
  const taken = new Set(items.map(item => String(item.id ?? '')))
  const kind = kinds.find(({ type }) => type === chosen)
  const write = (place: number, item: JsonObject | undefined) =>
    set(items.flatMap((held, index) => (index === place ? (item ?? []) : [held])))
  const move = (from: number, to: number) => {
    const others = items.filter((_, index) => index !== from)
    const moved = items[from]
    if (moved !== undefined) set([...others.slice(0, to), moved, ...others.slice(to)])
  }
  const nameOf = (type: string) => t(`adaptive.type.${type.replace('.', '_')}`, { defaultValue: type })
  return (
    <fieldset className="pl-list" aria-label={label}>
      <span className="pl-label-text">
        {label} <small>{items.length}</small>
      </span>
      <SortableItems
        ids={items.map((_, place) => String(place))}
        disabled={!mayEdit}
        onMove={(id, to) => move(Number(id), to)}
        onRemove={id => write(Number(id), undefined)}
        renderItem={(_, place) => {
          const item = items[place] ?? {}
          const known = kinds.find(({ type }) => type === item.type)
          return (
            <div className="pl-item">
              <b>{nameOf(String(item.type ?? '?'))}</b>
              {Object.keys(known?.members ?? {}).map(name =>
                known === undefined ? null : (
                  <Member
                    key={name}
                    kind={known}
                    name={name}
                    item={item}
                    disabled={!mayEdit}
                    onWrite={value => write(place, { ...item, [name]: value })}
                  />
                ),
              )}
              {known === undefined ? (
                <chakra.span fontSize="xs" color="fg.muted">
                  {t('adaptive.asJson')}
                </chakra.span>
              ) : null}
            </div>
          )
        }}
      />
      {mayEdit && kind !== undefined ? (
        <chakra.div display="flex" gap="2" mt="2">
          <NativeSelect.Root position="relative" flex="1">
            <NativeSelect.Field
              aria-label={t('adaptive.kind')}
              value={chosen}
              onChange={event => choose(event.target.value)}
            >
              {kinds.map(({ type }) => (
                <option key={type} value={type}>
                  {nameOf(type)}
                </option>
              ))}
            </NativeSelect.Field>
            <NativeSelect.Indicator />
          </NativeSelect.Root>
          <Button size="xs" variant="outline" h="8" onClick={() => set([...items, newElement(kind, taken)])}>
            <Plus size={14} aria-hidden />
            {t('inspector.add')}
          </Button>
        </chakra.div>
      ) : null}
    </fieldset>
  )
}
