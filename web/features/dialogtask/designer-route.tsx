import { lazy } from 'react'
import { useParams } from 'react-router'
import { ErrorMessage } from '#web/page/error-page.tsx'

const DesignerPage = lazy(async () => ({
  default: (await import('#web/features/designer/designer-page.tsx')).DesignerPage,
}))

/** /designer/dialog/{id} and /designer/handler/{id}; another flow is another room, so nothing is kept between them. */
export const DesignerRoute = () => {
  const { kind, id } = useParams()
  if ((kind !== 'dialog' && kind !== 'handler') || id === undefined) return <ErrorMessage code="404" />
  return <DesignerPage key={`${kind}-${id}`} kind={kind} id={id} />
}
