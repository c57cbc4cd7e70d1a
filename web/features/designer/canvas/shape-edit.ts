import { createContext } from 'react'
import type { Size } from '../model/geometry.ts'

/** Edits of notes and frames on the canvas. */
interface ShapeEdit {
  rename(block: string, title: string): void
  resize(block: string, size: Size): void
}

/** Undefined where the flow is looked at only. */
export const ShapeEditContext = createContext<ShapeEdit | undefined>(undefined)
