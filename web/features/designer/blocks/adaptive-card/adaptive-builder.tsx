import { Button, chakra } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldPath } from '#domain/flow/document/location.ts'
import { passes } from '#domain/flow/lint/check-value.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { useListFocus } from '#web/features/designer/inspector/list-field.tsx'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { LineControl, TextControl } from '#web/form/control/line-control.tsx'
import { useWords } from '../../canvas/canvas-context.ts'
import { useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { SHARED } from '../../inspector/shared-value.ts'
import { SortableItems } from '../../inspector/sortable-items.tsx'
import { UploadButton } from '../../inspector/upload-button.tsx'
import { itemsAt } from '../card/read-card.ts'
import { type ElementKind, memberText, memberValue, newElement, takenIds, withMember } from './adaptive-element.ts'

interface MemberProps {
  readonly kind: ElementKind
  readonly name: string
  readonly item: JsonObject
  readonly disabled: boolean
  readonly onChange: (value: Json) => void
}

const ADDRESS = ['address', 'host'] as const

const Member = ({ kind, name, item, disabled, onChange }: MemberProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const id = useId()
  const member = kind.members[name] ?? 'line'
  const label = t(`adaptive.member.${name}`)
  const text = memberText(member, item[name])
  const common = { ...SHARED, id, disabled, value: text }
  const wrong = name === 'url' ? ADDRESS.find(check => !passes(check, text)) : undefined
  const isPicture = kind.type === 'Image' && name === 'url'
  const write = (typed: string) => onChange(memberValue(member, typed, item[name]))
  const control = () => {
    if (typeof member !== 'string') {
      const choices = member.map(value => ({ value, label: t(`adaptive.${name}.${value}`, { defaultValue: value }) }))
      return <ChoiceControl {...common} choices={choices} onChange={write} />
    }
    return member === 'line' ? (
      <LineControl {...common} onChange={write} />
    ) : (
      <TextControl {...common} onChange={write} />
    )
  }
  return (
    <div>
      <label className="pl-label-text" htmlFor={id}>
        {label}
      </label>
      {control()}
      {isPicture && !disabled ? <UploadButton accept="picture" onUploaded={file => write(file.address)} /> : null}
      {wrong === undefined ? null : (
        <chakra.p fontSize="xs" color={wrong === 'host' ? 'warning.fg' : 'danger.fg'} mt="1">
          {words(`block:check.${wrong}`, { field: label })}
        </chakra.p>
      )}
    </div>
  )
}

interface ElementsProps {
  readonly label: string
  readonly items: readonly JsonObject[]
  readonly kinds: readonly ElementKind[]
  /** Nesting depth of this list. */
  readonly depth: number
  readonly taken: ReadonlySet<string>
  readonly disabled: boolean
  readonly onChange: (items: readonly JsonObject[]) => void
}

/** No elements can be added deeper; existing deeper ones are still shown. */
const DEEPEST = 3

const useTypeName = () => {
  const { t } = useTranslation('designer')
  return (type: string) => t(`adaptive.type.${type.replace('.', '_')}`, { defaultValue: type })
}

const Adder = ({ kinds, onAdd }: { kinds: readonly ElementKind[]; onAdd: (kind: ElementKind) => void }) => {
  const { t } = useTranslation('designer')
  const nameOf = useTypeName()
  const id = useId()
  const [first] = kinds
  const [chosen, choose] = useState(first?.type ?? '')
  const kind = kinds.find(({ type }) => type === chosen) ?? first
  if (kind === undefined) return null
  return (
    <chakra.div data-adder="" display="flex" gap="2" mt="2">
      {kinds.length === 1 ? null : (
        <>
          <label className="pl-said" htmlFor={id}>
            {t('adaptive.kind')}
          </label>
          <ChoiceControl
            id={id}
            disabled={false}
            value={kind.type}
            choices={kinds.map(({ type }) => ({ value: type, label: nameOf(type) }))}
            onChange={choose}
          />
        </>
      )}
      <Button size="xs" variant="outline" h="8" flex="none" onClick={() => onAdd(kind)}>
        <Plus size={14} aria-hidden />
        {kinds.length === 1 ? nameOf(kind.type) : t('inspector.add')}
      </Button>
    </chakra.div>
  )
}

interface ElementProps extends Omit<ElementsProps, 'label' | 'items' | 'onChange'> {
  readonly item: JsonObject
  readonly onChange: (item: JsonObject) => void
}

/** One element: its members, and the elements that it holds. */
const Element = ({ item, kinds, depth, taken, disabled, onChange }: ElementProps) => {
  const { t } = useTranslation('designer')
  const nameOf = useTypeName()
  const kind = kinds.find(({ type }) => type === item.type)
  const name = nameOf(String(item.type ?? '?'))
  return (
    <div className="pl-item">
      <b>{name}</b>
      {kind === undefined ? (
        <chakra.span fontSize="xs" color="fg.muted">
          {t('adaptive.asJson')}
        </chakra.span>
      ) : null}
      {Object.entries(kind?.members ?? {}).map(([member, typed]) =>
        kind === undefined ? null : (
          <Member
            key={member}
            kind={kind}
            name={member}
            item={item}
            disabled={disabled}
            onChange={value => onChange(withMember(item, member, typed, value))}
          />
        ),
      )}
      {kind?.holds === undefined ? null : (
        <Elements
          label={t(`adaptive.member.${kind.holds.member}`)}
          items={itemsAt(item, kind.holds.member)}
          kinds={kind.holds.kinds()}
          depth={depth + 1}
          taken={taken}
          disabled={disabled}
          onChange={held => onChange({ ...item, [kind.holds?.member ?? '']: held })}
        />
      )}
    </div>
  )
}

const Elements = ({ label, items, kinds, depth, taken, disabled, onChange }: ElementsProps) => {
  const write = (place: number, item: JsonObject) => onChange(items.map((held, at) => (at === place ? item : held)))
  const move = (from: number, to: number) => {
    const others = items.filter((_, index) => index !== from)
    const moved = items[from]
    if (moved !== undefined) onChange([...others.slice(0, to), moved, ...others.slice(to)])
  }
  const ids = items.map((_, place) => String(place))
  const focus = useListFocus(ids)
  const offered = kinds.filter(({ holds }) => holds === undefined || depth < DEEPEST)
  return (
    <fieldset ref={focus.root} className="pl-list" aria-label={label}>
      <span className="pl-label-text">
        {label} <small>{items.length}</small>
      </span>
      <SortableItems
        ids={ids}
        disabled={disabled}
        onMove={(id, to) => move(Number(id), to)}
        onRemove={(id, place) => {
          onChange(items.filter((_, at) => at !== Number(id)))
          focus.toPlace(place)
        }}
        renderItem={(_, place) => (
          <Element
            item={items[place] ?? {}}
            kinds={kinds}
            depth={depth}
            taken={taken}
            disabled={disabled}
            onChange={item => write(place, item)}
          />
        )}
      />
      {disabled ? null : (
        <Adder
          kinds={offered}
          onAdd={kind => {
            onChange([...items, newElement(kind, taken)])
            focus.toItem(String(items.length))
          }}
        />
      )}
    </fieldset>
  )
}

interface BuilderProps {
  /** A field that holds a list of elements as JSON. */
  readonly path: FieldPath
  readonly kinds: readonly ElementKind[]
}

/**
 * A card's elements, with the contents of columns and containers; unknown ones are shown by type and kept unchanged.
 */
export const AdaptiveBuilder = ({ path, kinds }: BuilderProps) => {
  const { node } = useForm()
  const label = useLabel(path)
  const { set, mayEdit } = useFieldValue(path, undefined)
  return (
    <Elements
      label={label}
      items={itemsAt(node.properties, path[0])}
      kinds={kinds}
      depth={0}
      taken={takenIds(node.properties.body)}
      disabled={!mayEdit}
      onChange={set}
    />
  )
}
