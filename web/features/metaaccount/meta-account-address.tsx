import { Navigate, useLocation, useParams } from 'react-router'

/** /meta/account/{id}: another address of an account's page. */
export const MetaAccountAddress = () => {
  const { id = '' } = useParams()
  const { search } = useLocation()
  return <Navigate replace to={{ pathname: `/metaaccount/${encodeURIComponent(id)}`, search }} />
}
