import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListControl, ListPlace } from './use-list-state.ts'

/** A way of showing a list that its page brings along, beside table and cards. */
export interface MatrixView {
  readonly label: string
  readonly icon: LucideIcon
  isOffered(place: ListPlace): boolean
  /** Beside the search, in place of the list's filters. */
  filter(place: ListPlace): ReactNode
  /** In place of the button that makes something new. */
  action(place: ListPlace): ReactNode
  content(place: ListPlace, control: ListControl): ReactNode
}
