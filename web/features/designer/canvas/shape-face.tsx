import './shape.css'
import { useReactFlow } from '@xyflow/react'
import { createContext, type PointerEvent, use, useRef, useState } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { type Inline, parseRich } from '#domain/flow/text/rich-text.ts'
import { isFrame, shapeSize, shownTitle } from '../model/block-appearance.ts'
import { SIZE, type Size } from '../model/geometry.ts'
import { plainTitle, type Translate } from '../model/label.ts'
import { type ChatRun, chatRuns } from '../model/preview.ts'
import { useCanvas } from './canvas-context.ts'

const TAGS = { bold: 'b', italic: 'i', struck: 's' } as const

const Formatted = ({ run: { text, formats } }: { readonly run: ChatRun }) => {
  const [format, ...inner] = formats
  if (format === undefined) return text
  const Tag = TAGS[format]
  return (
    <Tag>
      <Formatted run={{ text, formats: inner }} />
    </Tag>
  )
}

const Run = ({ part }: { readonly part: Inline }) => {
  if ('variable' in part) return <mark>{part.variable}</mark>
  // biome-ignore lint/suspicious/noArrayIndexKey: runs of one text
  const text = chatRuns(part.text).map((run, at) => <Formatted key={at} run={run} />)
  const underlined = part.underline ? <u>{text}</u> : text
  const italic = part.italic ? <i>{underlined}</i> : underlined
  return part.bold ? <b>{italic}</b> : <span>{italic}</span>
}

/** A note's text, line by line. */
const SheetFace = ({ node, t }: { readonly node: NodeModel; readonly t: Translate }) => {
  const text = typeof node.properties.text === 'string' ? node.properties.text : ''
  const title = shownTitle(node, t)
  if (text.trim() === '' && !title.own)
    return (
      <p className="pl-sheet-text" data-empty>
        {t(`block:description.${node.type}`)}
      </p>
    )
  return (
    <div className="pl-sheet-text">
      {title.own ? <p className="pl-sheet-title">{title.text}</p> : null}
      {parseRich(text).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
        <p key={at}>
          {line.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line
            <Run key={index} part={part} />
          ))}
        </p>
      ))}
    </div>
  )
}

const SMALLEST = { width: 120, height: 60 } as const

const onGrid = (value: number, smallest: number) => Math.max(smallest, Math.round(value / SIZE.grid) * SIZE.grid)

interface ResizeHandleProps {
  readonly size: Size
  /** Called during a resize, with undefined at its end. */
  readonly onPull: (size: Size | undefined) => void
  readonly onResize: (size: Size) => void
}

/** The lower right corner of a sheet or frame; by key, its size is in the inspector. */
const ResizeHandle = ({ size, onPull, onResize }: ResizeHandleProps) => {
  const { getZoom } = useReactFlow()
  const from = useRef<{ readonly x: number; readonly y: number; now: Size } | undefined>(undefined)
  const down = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, y: event.clientY, now: size }
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    const start = from.current
    if (start === undefined) return
    start.now = {
      width: onGrid(size.width + (clientX - start.x) / getZoom(), SMALLEST.width),
      height: onGrid(size.height + (clientY - start.y) / getZoom(), SMALLEST.height),
    }
    onPull(start.now)
  }
  const up = () => {
    const pulled = from.current?.now
    from.current = undefined
    onPull(undefined)
    if (pulled !== undefined && (pulled.width !== size.width || pulled.height !== size.height)) onResize(pulled)
  }
  return (
    <span
      className="pl-resize nodrag nopan"
      aria-hidden
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
    />
  )
}

/** Edits of notes and frames on the canvas. */
interface ShapeEdit {
  rename(block: string, title: string): void
  resize(block: string, size: Size): void
}

/** Undefined where the flow is looked at only. */
export const ShapeEditContext = createContext<ShapeEdit | undefined>(undefined)

interface ShapeFaceProps {
  readonly node: NodeModel
  readonly t: Translate
}

/** A group's frame: taken by its title, which is renamed where it stands. */
const FrameFace = ({ node, t }: ShapeFaceProps) => {
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
        // biome-ignore lint/a11y/noAutofocus: a double click on the title requested it.
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

/** Appearance of a note or group: paper or a frame, in its stored size. */
export const ShapeFace = ({ node, t }: ShapeFaceProps) => {
  const edit = use(ShapeEditContext)
  const [pulled, setPulled] = useState<Size>()
  const frame = isFrame(node)
  return (
    <span
      className="pl-shape"
      data-shape={frame ? 'frame' : 'sheet'}
      data-tint={String(node.properties.tint)}
      style={pulled ?? shapeSize(node)}
    >
      {frame ? <FrameFace node={node} t={t} /> : <SheetFace node={node} t={t} />}
      {edit === undefined ? null : (
        <ResizeHandle size={shapeSize(node)} onPull={setPulled} onResize={size => edit.resize(node.id, size)} />
      )}
    </span>
  )
}
