import { createContext } from 'react'

/** The thing whose form it is. */
export interface FormOwner {
  readonly entity: string
  /** Undefined until it is created. */
  readonly id: string | undefined
}

/** Narrows references to what lies in the thing itself: a bot offers its own tasks. */
export const FormOwnerContext = createContext<FormOwner | undefined>(undefined)
