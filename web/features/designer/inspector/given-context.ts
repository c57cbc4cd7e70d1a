import { createContext } from 'react'
import type { JsonObject } from '#schemas/event.ts'

/** Values of the variables where an expression stands, if they are not those that a person made up for the flow. */
export const GivenContext = createContext<JsonObject | undefined>(undefined)
