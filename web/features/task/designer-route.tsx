import { lazy } from 'react'
import { useParams } from 'react-router'
import { ErrorMessage } from '#web/page/error-page.tsx'

interface DesignerProps {
  readonly kind: 'dialog' | 'handler'
  readonly id: string
}

const found = import.meta.glob<{ DesignerPage: React.ComponentType<DesignerProps> }>(
  '../designer/{DesignerPage,designer-page}.tsx',
)

const DesignerPage = lazy(async () => {
  const load = Object.values(found)[0]
  return { default: load === undefined ? () => null : (await load()).DesignerPage }
})

/** /designer/dialog/{id} and /designer/handler/{id}; another flow is another room, so nothing is kept between them. */
export const DesignerRoute = () => {
  const { kind, id } = useParams()
  if ((kind !== 'dialog' && kind !== 'handler') || id === undefined) return <ErrorMessage code="404" />
  return <DesignerPage key={`${kind}-${id}`} kind={kind} id={id} />
}
