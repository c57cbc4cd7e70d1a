import { createContext } from 'react'
import type { ExpressionLanguage } from '#schemas/field/core.ts'
import type { CodeLanguage } from '#schemas/field/kind.ts'

/** Source and target of a control's value: a form, or a shared document. */
interface FieldBinding<T, W = T> {
  readonly value: T
  onChange(value: W): void
  /** Pause in typing after which a text is written; 0 writes every key. A shared value waits, so that a word is one edit. */
  readonly typingPauseMs?: number
}

interface ControlState {
  /** A label points at it, and has the id `{id}-label`. */
  readonly id: string
  readonly describedBy?: string | undefined
  readonly invalid?: boolean
  readonly readOnly?: boolean
  readonly disabled?: boolean
  /** `compact` fits a narrow panel. */
  readonly density?: 'comfortable' | 'compact'
}

export type ControlProps<T, W = T> = FieldBinding<T, W> & ControlState

export interface CodeProps extends ControlProps<string> {
  /** One of both: the language of code, or that of an expression. */
  readonly language?: CodeLanguage | undefined
  readonly expression?: ExpressionLanguage
  /** Lines at rest. */
  readonly rows: number
  readonly max?: number | undefined
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Attributes of a native input, textarea or button. */
export const attributesOf = ({ id, describedBy, invalid }: ControlState) => ({
  id,
  ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
  ...(invalid === true ? { 'aria-invalid': true } : {}),
})

/** Trimmed lines without the empty ones. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

/** The thing whose form it is. */
export interface FormOwner {
  readonly entity: string
  /** Undefined until it is created. */
  readonly id: string | undefined
}

/** Limits references to the entity's own children: a bot offers its own tasks. */
export const FormOwnerContext = createContext<FormOwner | undefined>(undefined)
