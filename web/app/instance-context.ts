import { createContext, use } from 'react'
import type { Instance } from '#web/api/session.ts'

export const InstanceContext = createContext<Instance>({ name: 'production', theme: 'production', version: '' })
export const useInstance = (): Instance => use(InstanceContext)
