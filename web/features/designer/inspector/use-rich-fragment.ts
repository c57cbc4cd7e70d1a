import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { useEffect, useState } from 'react'
import * as Y from 'yjs'
import { openText } from '#domain/flow/document/edit.ts'
import type { FieldPath } from '#domain/flow/document/location.ts'
import { isKnownRich } from '#domain/flow/document/rich-fragment.ts'
import { useDesigner } from '../session/designer.ts'

/** A rich text that an editor may bind to while `isKnown`. */
export interface OpenedText {
  readonly fragment: Y.XmlFragment
  /** Whether it has nothing but what an editor shows; an editor removes what it does not know. */
  readonly isKnown: boolean
  /** Calls when something unknown has come, before an editor that was bound later hears of it; ended by what it returns. */
  readonly atForeign: (leave: () => void) => () => void
}

const watched = (fragment: Y.XmlFragment, told: (opened: OpenedText) => void) => {
  const leaving = new Set<() => void>()
  const atForeign: OpenedText['atForeign'] = leave => {
    leaving.add(leave)
    return () => leaving.delete(leave)
  }
  let isKnown: boolean | undefined
  const look = () => {
    const was = isKnown
    isKnown = isKnownRich(fragment)
    if (!isKnown) for (const leave of leaving) leave()
    if (isKnown !== was) told({ fragment, isKnown, atForeign })
  }
  fragment.observeDeep(look)
  look()
  return () => fragment.unobserveDeep(look)
}

/** The shared text of a rich field, made if it is not there yet; undefined until then, null where something else is. */
export const useRichFragment = (block: string, path: FieldPath): OpenedText | null | undefined => {
  const { room, mayEdit, undo } = useDesigner()
  const [opened, setOpened] = useState<OpenedText | null>()
  const key = path.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a path is the same while its names are
  useEffect(() => {
    if (!mayEdit) return
    undo.include(ySyncPluginKey)
    const text = openText(room.doc, block, path, 'open')
    if (text instanceof Y.XmlFragment) return watched(text, setOpened)
    setOpened(null)
  }, [room, mayEdit, undo, block, key])
  return opened
}
