import { createContext } from 'react'

/** The thing whose form it is. */
export interface FormOwner {
  readonly entity: string
  /** Undefined until it is created. */
  readonly id: string | undefined
}

/** Limits references to the entity's own children: a bot offers its own tasks. */
export const FormOwnerContext = createContext<FormOwner | undefined>(undefined)
