import { useState } from 'react'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import type { JsonObject } from '#schemas/event.ts'
import { useLazyModule } from '#web/lazy-module.ts'
import { itemsAt, under, useForm, useLabel, VariableValuesContext, valueAt } from '../../inspector/form-context.ts'
import { assignedValues } from '../../inspector/lazy-editor.ts'
import { ListField } from '../../inspector/list-field.tsx'
import { stringOf } from '../../inspector/shared-value.ts'
import { useDesigner } from '../../session/designer.ts'

const LINES: FieldPath = ['variables']
const NONE: readonly never[] = []

/** Lines that are carried out one after the other: each sees what those before it gave. */
export const AssignForm = () => {
  const { node, Field } = useForm()
  const { room } = useDesigner()
  const label = useLabel(LINES)
  const { value: Assigned } = useLazyModule(assignedValues)
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
          <VariableValuesContext value={before[place]}>
            <div className="pl-pair">
              <Field path={under(path, 'name')} />
              <Field path={under(path, 'value')} />
            </div>
          </VariableValuesContext>
        )}
      />
    </div>
  )
}
