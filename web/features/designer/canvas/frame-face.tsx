import { use, useState } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { plainTitle, type Translate } from '../model/label.ts'
import { useCanvas } from './canvas-context.ts'
import { ShapeEditContext } from './shape-edit.ts'

interface FrameFaceProps {
  readonly node: NodeModel
  readonly t: Translate
}

/** A group's frame: taken by its title, which is renamed where it stands. */
export const FrameFace = ({ node, t }: FrameFaceProps) => {
  const edit = use(ShapeEditContext)
  const { selection } = useCanvas()
  const [renaming, setRenaming] = useState(false)
  const title = plainTitle(node, t)
  const select = ({ shiftKey, ctrlKey, metaKey }: React.MouseEvent) =>
    selection.set(before => ({
      blocks:
        shiftKey || ctrlKey || metaKey ? before.blocks.symmetricDifference(new Set([node.id])) : new Set([node.id]),
      links: new Set(),
    }))
  const rename = (text: string) => {
    setRenaming(false)
    if (text.trim() !== '' && text !== node.title) edit?.rename(node.id, text.trim())
  }
  if (renaming) {
    return (
      <input
        className="pl-frame-title nodrag"
        aria-label={t('inspector.title')}
        defaultValue={node.title}
        maxLength={200}
        // biome-ignore lint/a11y/noAutofocus: somebody asked for it with two presses on the title.
        autoFocus
        onFocus={event => event.currentTarget.select()}
        onBlur={event => rename(event.currentTarget.value)}
        onKeyDown={event => {
          event.stopPropagation()
          if (event.key === 'Enter') rename(event.currentTarget.value)
          if (event.key === 'Escape') setRenaming(false)
        }}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the frame around it is the button; this is where the pointer takes it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
    <span
      className="pl-frame-title"
      title={title}
      onClick={select}
      onDoubleClick={event => {
        if (edit === undefined) return
        event.stopPropagation()
        setRenaming(true)
      }}
    >
      {title}
    </span>
  )
}
