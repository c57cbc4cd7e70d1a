import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { blockSizeOf, type Pull } from './canvas/canvas-context.ts'
import { cursorAt } from './canvas/cursor-mapping.ts'
import { FlowCanvas } from './canvas/flow-canvas.tsx'
import { ShapeEditContext } from './canvas/shape-edit.ts'
import type { Pulled } from './canvas/use-connect-drag.ts'
import type { DragReport } from './canvas/use-drag.ts'
import { useMode } from './mode/mode-context.ts'
import type { Point } from './model/geometry.ts'
import { Cursors } from './session/presence/cursors.tsx'
import { PeerLayer } from './session/presence/rings.tsx'
import './people/people.css'
import { useCommands } from './commands/commands.ts'
import { useBlockKeys } from './keyboard/use-block-keys.ts'
import { readingOrder } from './model/reading-order.ts'
import { useDesigner } from './session/designer.ts'

interface LiveCanvasProps {
  readonly name: string
  readonly readOnly: boolean
  readonly onLinkKey: (block: string) => void
}

/** The canvas of an open flow: what is done here is written to the document and shown to the others as it happens. */
export const LiveCanvas = ({ name, readOnly, onLinkKey }: LiveCanvasProps) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const { tool } = useMode()
  const commands = useCommands()
  const { room, canvas, actions } = designer
  const { presence } = room
  const onKeyDown = useBlockKeys(designer, onLinkKey)

  useEffect(() => {
    const settle = () => {
      const at = canvas.focus.get()
      if (at === undefined || !canvas.flow.get().nodes.has(at)) canvas.focus.set(readingOrder(canvas.flow.get())[0])
    }
    settle()
    return canvas.flow.subscribe(settle)
  }, [canvas])

  const onPointer = useCallback(
    (at: Point | undefined, block?: string) => {
      canvas.pointer.at = at
      presence.show({ cursor: at && cursorAt(canvas, at, block) })
    },
    [presence, canvas],
  )
  const onDragging = useCallback(
    (drag: DragReport | undefined) => presence.show({ drag: drag && { ...drag, ids: drag.ids.slice(0, 200) } }),
    [presence],
  )
  const onPull = useCallback(
    (pull: Pull | undefined) =>
      presence.show({
        link: pull && {
          from: pull.from,
          fromConnector: pull.fromConnector,
          x: Math.round(pull.x),
          y: Math.round(pull.y),
        },
      }),
    [presence],
  )
  const onEmpty = useCallback(
    (pulled: Pulled, flow: Point, screen: Point) =>
      commands.openAdd({ x: flow.x - blockSizeOf(canvas).width / 2, y: flow.y }, pulled, screen),
    [commands, canvas],
  )
  const onOpen = useCallback((block: string) => designer.wanted.set({ block }), [designer])
  const canvasOf = (
    <FlowCanvas
      state={canvas}
      label={t('canvas.label', { name })}
      readOnly={readOnly}
      tool={tool}
      onPointer={onPointer}
      onDragging={onDragging}
      onDropped={actions.move}
      onPull={onPull}
      onLink={actions.link}
      onEmpty={onEmpty}
      onOpen={onOpen}
      onDropBlock={commands.addAt}
      onKeyDown={onKeyDown}
    >
      <PeerLayer peers={room.peers} />
      <Cursors peers={room.peers} />
    </FlowCanvas>
  )
  return readOnly ? canvasOf : <ShapeEditContext value={actions}>{canvasOf}</ShapeEditContext>
}
