import { ArrowUp, Check, Minus } from 'lucide-react'
import { notice } from '#web/notice/notice.ts'
import type { Grant } from './permission-state.ts'
import './permission.css'

export type BoxState = Grant | 'some'

const ICONS = { given: Check, inherited: ArrowUp, some: Minus } as const

export const PermissionMark = ({ state }: { readonly state: BoxState }) => {
  const Icon = state === 'none' ? undefined : ICONS[state]
  return <span aria-hidden="true">{Icon === undefined ? null : <Icon size={13} strokeWidth={2.5} />}</span>
}

interface Props {
  readonly label: string
  readonly state: BoxState
  readonly isChanged: boolean
  readonly isDisabled: boolean
  /** Why an inherited one can not be changed here. */
  readonly hint?: string
  /** State in the compared role, if different. */
  readonly other?: 'given' | 'none' | undefined
  /** Column, for the arrow keys. */
  readonly column: string
  onChange(on: boolean): void
}

/** One permission, or all of a column: given, inherited, some of them, none. An inherited one has the focus and says why. */
export const PermissionBox = ({ label, state, isChanged, isDisabled, hint, other, column, onChange }: Props) => {
  const isInherited = state === 'inherited'
  return (
    <label
      className="pl-permission"
      data-state={state}
      data-changed={isChanged || undefined}
      data-other={other}
      title={isInherited ? hint : undefined}
    >
      <input
        ref={input => {
          if (input !== null) input.indeterminate = state === 'some'
        }}
        type="checkbox"
        aria-label={label}
        aria-disabled={isInherited || undefined}
        data-column={column}
        checked={state === 'given' || isInherited}
        disabled={isDisabled}
        onChange={event => {
          if (!isInherited) onChange(event.target.checked)
          else if (hint !== undefined) notice.snack(hint)
        }}
      />
      <PermissionMark state={state} />
    </label>
  )
}
