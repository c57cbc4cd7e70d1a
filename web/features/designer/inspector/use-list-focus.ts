import { type RefObject, useEffect, useRef } from 'react'
import { areEditorsRendered, firstField, focusWhenRendered } from './first-field.ts'

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
    focusWhenRendered(
      () => (content === undefined ? (add ?? undefined) : firstField(content)),
      () => content === undefined || areEditorsRendered(content),
    )
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
