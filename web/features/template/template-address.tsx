import { Navigate, useLocation, useParams } from 'react-router'

/** /campaignmanagement/channel/app/template/{id}: another address of a template; without an id that of a new one. */
export const TemplateAddress = () => {
  const { id } = useParams()
  const { search } = useLocation()
  const pathname = id === undefined ? '/template' : `/template/${encodeURIComponent(id)}`
  return <Navigate replace to={{ pathname, search }} />
}
