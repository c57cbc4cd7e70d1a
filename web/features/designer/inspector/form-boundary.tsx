import { Component, type ReactNode } from 'react'

interface Props {
  /** The rendered value; a change retries rendering. */
  readonly of: unknown
  /** Shown where it cannot be drawn. */
  readonly instead: ReactNode
  readonly children: ReactNode
}

interface State {
  readonly of: unknown
  readonly isBroken: boolean
}

/** Keeps a form that a file's values break from taking the designer with it. */
export class FormBoundary extends Component<Props, State> {
  override state: State = { of: this.props.of, isBroken: false }

  static getDerivedStateFromError(): Partial<State> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { of, isBroken: false }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children
  }
}
