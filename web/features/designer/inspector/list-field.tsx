import { Button, chakra, HStack } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { addItem, moveItem, removeItem } from '#domain/flow/document/item-edit.ts'
import type { FieldPath } from '#domain/flow/document/location.ts'
import type { ListField as List } from '#schemas/flow/block-field.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { areEditorsRendered, firstField, focusWhenRendered } from './first-field.ts'
import { itemsAt, under, useFieldValue, useForm } from './form-context.ts'
import { SortableItems } from './sortable-items.tsx'

interface ListFocus {
  readonly root: RefObject<HTMLFieldSetElement | null>
  /** The keyboard goes to this item as soon as it is drawn. */
  readonly toItem: (id: string) => void
  /** Focuses the item at this place once the present one is removed, else the add button. */
  readonly toPlace: (place: number) => void
}

type Wish = { readonly id: string } | { readonly place: number; readonly before: number }

const placeOf = (wish: Wish, ids: readonly string[]) =>
  'id' in wish ? ids.indexOf(wish.id) : Math.min(wish.place, ids.length - 1)

/** Focus after a list gains or loses an item. */
export const useListFocus = (ids: readonly string[]): ListFocus => {
  const root = useRef<HTMLFieldSetElement>(null)
  const wish = useRef<Wish>(undefined)
  useEffect(() => {
    const wanted = wish.current
    const isOpen = wanted !== undefined && ('id' in wanted ? !ids.includes(wanted.id) : ids.length === wanted.before)
    if (wanted === undefined || isOpen) return
    wish.current = undefined
    const item = root.current?.querySelector(':scope > .pl-items')?.children[placeOf(wanted, ids)]
    // Its first child is the grip.
    const content = item?.children[1]
    const add = root.current?.querySelector<HTMLElement>(':scope > button, :scope > [data-adder] button')
    focusWhenRendered({
      find: () => (content === undefined ? (add ?? undefined) : firstField(content)),
      isDrawn: () => content === undefined || areEditorsRendered(content),
    })
  })
  return {
    root,
    toItem: id => {
      wish.current = { id }
    },
    toPlace: place => {
      wish.current = { place, before: ids.length }
    },
  }
}

/** Id of a new item. */
export const newId = () => `i${crypto.randomUUID().replaceAll('-', '').slice(0, 8)}`

const NOTHING: readonly never[] = []

/** A line in which Enter means nothing else. */
const isLine = (target: EventTarget): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'text' && target.role !== 'combobox'

interface ListFieldProps {
  readonly path: FieldPath
  readonly field: List
  readonly label: string
  /** Right of the label. */
  readonly aside?: ReactNode
  readonly addLabel?: string
  /** Its label shows only where there is something in it. */
  readonly quiet?: boolean
  /** Content of one item; default: each of its fields. */
  readonly renderItem?: (path: FieldPath, place: number) => ReactNode
}

/** Two of these go side by side. */
const LINES = new Set(['string', 'expression', 'enumeration', 'reference'])

const Members = ({ path, field }: { readonly path: FieldPath; readonly field: List }) => {
  const { Field } = useForm()
  const names = Object.keys(field.item).filter(name => field.item[name]?.hidden !== true)
  const isPair = names.length === 2 && Object.values(field.item).every(({ kind }) => LINES.has(kind))
  if (isPair) {
    return (
      <div className="pl-pair">
        {names.map(name => (
          <Field key={name} path={under(path, name)} />
        ))}
      </div>
    )
  }
  if (names.length === 1) return names.map(name => <Field key={name} path={under(path, name)} bare />)
  return (
    <div className="pl-item pl-fields">
      {names.map(name => (
        <div key={name} data-half={field.item[name]?.half}>
          <Field path={under(path, name)} />
        </div>
      ))}
    </div>
  )
}

/** A list whose items are added, moved and removed one by one, so that two people's changes do not touch. */
export const ListField = ({ path, field, label, aside, addLabel, quiet = false, renderItem }: ListFieldProps) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { doc, block, mayEdit } = useFieldValue(path, undefined)
  const items = itemsAt(doc, block, node.type, path)
  const full = field.max !== undefined && (items?.length ?? 0) >= field.max
  const focus = useListFocus(items ?? NOTHING)
  const mayAdd = mayEdit && items !== undefined && !full
  const add = () => {
    const id = newId()
    addItem(doc, block, path, { id, members: {} }, OWN_EDIT)
    focus.toItem(id)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const { key, target } = event
    if (key !== 'Enter' || event.defaultPrevented || !mayAdd || !isLine(target)) return
    // A list within an item answers for its own lines.
    event.preventDefault()
    if (target.closest('li') === focus.root.current?.querySelector(':scope > .pl-items > li:last-child')) add()
  }
  return (
    <fieldset ref={focus.root} className="pl-list" data-list={path.join('.')} aria-label={label} onKeyDown={onKeyDown}>
      {quiet && items?.length === 0 ? null : (
        <HStack className="pl-label-row" flexWrap="wrap" rowGap="1">
          <span className="pl-label-text">
            {label} <small>{items?.length ?? ''}</small>
          </span>
          {aside}
        </HStack>
      )}
      {items === undefined ? (
        <chakra.p fontSize="xs" color="warning.fg">
          {t('lint.code.block_unreadable', { field: label })}
        </chakra.p>
      ) : (
        <SortableItems
          ids={items}
          disabled={!mayEdit}
          onMove={(id, to) => moveItem(doc, block, path, id, to, OWN_EDIT)}
          onRemove={(id, place) => {
            removeItem(doc, block, path, id, OWN_EDIT)
            focus.toPlace(place)
          }}
          renderItem={(id, place) =>
            renderItem?.(under(path, id), place) ?? <Members path={under(path, id)} field={field} />
          }
        />
      )}
      {mayAdd ? (
        <Button variant="plain" size="xs" mt="2" onClick={add}>
          <Plus size={14} aria-hidden />
          {addLabel ?? t('inspector.add')}
        </Button>
      ) : null}
    </fieldset>
  )
}
