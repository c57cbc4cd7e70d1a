import { Navigate, useLocation } from 'react-router'

/** Leads an address without its optional id to another page, with its query. */
export const Redirect = ({ to }: { readonly to: string }) => {
  const { search } = useLocation()
  return <Navigate replace to={{ pathname: to, search }} />
}
