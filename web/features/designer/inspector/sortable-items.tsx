import { GripVertical, X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface SortableItemsProps {
  readonly ids: readonly string[]
  readonly disabled: boolean
  readonly onMove: (id: string, to: number) => void
  readonly onRemove: (id: string, place: number) => void
  readonly renderItem: (id: string, place: number) => ReactNode
}

const useSorting = (
  list: RefObject<HTMLUListElement | null>,
  ids: SortableItemsProps['ids'],
  onMove: SortableItemsProps['onMove'],
) => {
  const [dragged, setDragged] = useState<{ id: string; to: number }>()
  const placeAt = (y: number): number => {
    const rows = [...(list.current?.children ?? [])]
    const below = rows.findIndex(row => {
      const box = row.getBoundingClientRect()
      return y < box.top + box.height / 2
    })
    return below === -1 ? rows.length : below
  }
  const settle = (id: string, gap: number) => {
    const from = ids.indexOf(id)
    const to = gap > from ? gap - 1 : gap
    if (to !== from) onMove(id, to)
  }
  const byKey = (event: React.KeyboardEvent, id: string) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const from = ids.indexOf(id)
    if (step === undefined || from + step < 0 || from + step >= ids.length) return
    event.preventDefault()
    event.stopPropagation()
    onMove(id, from + step)
  }
  const gripProps = (id: string, place: number) => ({
    onKeyDown: (event: React.KeyboardEvent) => byKey(event, id),
    onPointerDown: (event: React.PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged({ id, to: place })
    },
    onPointerMove: (event: React.PointerEvent) => {
      if (dragged !== undefined) setDragged({ id, to: placeAt(event.clientY) })
    },
    onPointerUp: () => {
      if (dragged !== undefined) settle(id, dragged.to)
      setDragged(undefined)
    },
    onPointerCancel: () => setDragged(undefined),
  })
  return { dragged, gripProps }
}

/** Items with a grip: drag it, or move with the arrow keys on it. */
export const SortableItems = ({ ids, disabled, onMove, onRemove, renderItem }: SortableItemsProps) => {
  const { t } = useTranslation('designer')
  const list = useRef<HTMLUListElement>(null)
  const { dragged, gripProps } = useSorting(list, ids, onMove)
  return (
    <ul ref={list} className="pl-items">
      {ids.map((id, place) => (
        <li key={id} data-dragged={dragged?.id === id || undefined} data-gap={dragged?.to === place || undefined}>
          {disabled ? null : (
            <button
              type="button"
              className="pl-grip"
              aria-label={t('inspector.moveItem', { name: t('inspector.item', { place: place + 1 }) })}
              {...gripProps(id, place)}
            >
              <GripVertical size={14} aria-hidden />
            </button>
          )}
          <div>{renderItem(id, place)}</div>
          {disabled ? null : (
            <button
              type="button"
              className="pl-grip"
              aria-label={t('inspector.removeItem', { name: t('inspector.item', { place: place + 1 }) })}
              onClick={() => onRemove(id, place)}
            >
              <X size={14} aria-hidden />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
