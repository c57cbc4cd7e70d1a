import { use, useState } from 'react'
import type { NodeModel } from '#domain/flow/document/model.ts'
import type { Size } from '../model/geometry.ts'
import type { Translate } from '../model/label.ts'
import { isFrame, shapeSize } from '../model/look.ts'
import { FrameFace } from './frame-face.tsx'
import { ResizeHandle } from './resize-handle.tsx'
import './shape.css'
import { ShapeEditContext } from './shape-edit.ts'
import { SheetFace } from './sheet-face.tsx'

interface ShapeFaceProps {
  readonly node: NodeModel
  readonly t: Translate
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
