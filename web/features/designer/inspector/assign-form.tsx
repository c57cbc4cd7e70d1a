import { useState } from 'react'
import { type FieldPath, fieldAt } from '#domain/flow/location.ts'
import type { JsonObject } from '#schemas/event.ts'
import { useLatePart } from '#web/late-part.ts'
import { useDesigner } from '../live/designer.ts'
import { under, useForm, useLabel } from './form-context.ts'
import { GivenContext } from './given-context.ts'
import { assignedValues } from './late-editor.ts'
import { ListField } from './list-field.tsx'
import { itemsAt, valueAt } from './place.ts'
import { stringOf } from './plain-control.tsx'

const LINES: FieldPath = ['variables']
const NONE: readonly never[] = []

/** Lines that are carried out one after the other: each sees what those before it gave. */
export const AssignForm = () => {
  const { node, Field } = useForm()
  const { room } = useDesigner()
  const label = useLabel(LINES)
  const { value: Assigned } = useLatePart(assignedValues)
  const [before, setBefore] = useState<readonly JsonObject[]>(NONE)
  const field = fieldAt(node.type, LINES)
  if (field?.kind !== 'list') return null
  const said = (id: string, name: string) => stringOf(valueAt(room.doc, node.id, node.type, under(LINES, id, name)))
  const lines = (itemsAt(room.doc, node.id, node.type, LINES) ?? NONE).map(id => ({
    name: said(id, 'name'),
    value: said(id, 'value'),
  }))
  return (
    <div className="pl-section">
      {Assigned === undefined ? null : <Assigned lines={lines} onFound={setBefore} />}
      <ListField
        path={LINES}
        field={field}
        label={label}
        renderItem={(path, place) => (
          <GivenContext value={before[place]}>
            <div className="pl-pair">
              <Field path={under(path, 'name')} />
              <Field path={under(path, 'value')} />
            </div>
          </GivenContext>
        )}
      />
    </div>
  )
}
