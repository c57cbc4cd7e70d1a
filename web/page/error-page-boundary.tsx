import i18n from 'i18next'
import { Component, type ReactNode } from 'react'
import { basePath } from '#web/i18n/path-language.ts'

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly failure: string | undefined
}

/** Around the error page: when that fails to render too, says so in plain HTML, with the details and a link home. */
export class ErrorPageBoundary extends Component<Props, State> {
  override state: State = { failure: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <main style={{ padding: 24, maxWidth: 640, margin: '10vh auto' }}>
        <h1 style={{ fontSize: 24, fontWeight: 600 }}>{i18n.t('shell:errorpage.failed')}</h1>
        <pre style={{ whiteSpace: 'pre-wrap', margin: '16px 0' }}>{failure}</pre>
        <a href={`${basePath()}/`} style={{ textDecoration: 'underline' }}>
          {i18n.t('shell:error.home')}
        </a>
      </main>
    )
  }
}
