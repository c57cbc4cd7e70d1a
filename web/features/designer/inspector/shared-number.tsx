import { useState } from 'react'
import type { Json } from '#schemas/event.ts'
import type { NumberField } from '#schemas/flow/block-field.ts'
import { NumberControl } from '#web/form/control/line-control.tsx'
import { SHARED } from './shared-value.ts'

interface SharedNumberProps {
  readonly id: string
  readonly describedBy?: string | undefined
  readonly disabled: boolean
  readonly field: NumberField
  readonly value: Json | undefined
  readonly wide?: boolean
  readonly onChange: (value: number) => void
  readonly onUnreadable?: (isUnreadable: boolean) => void
}

/** A shared number. Text that is no number stays as typed and is not written. */
export const SharedNumber = ({ field, value, wide = false, onChange, onUnreadable, ...props }: SharedNumberProps) => {
  const [unreadable, setUnreadable] = useState<string>()
  const report = (text: string | undefined) => {
    setUnreadable(text)
    onUnreadable?.(text !== undefined)
  }
  return (
    <NumberControl
      {...props}
      {...SHARED}
      invalid={unreadable !== undefined}
      value={unreadable ?? (typeof value === 'number' ? value : field.initial)}
      unit={field.unit}
      wide={wide}
      onUnreadable={report}
      onChange={number => {
        report(undefined)
        if (number !== null) onChange(number)
      }}
    />
  )
}
