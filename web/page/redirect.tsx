// biome-ignore lint/style/noRestrictedImports: the one place that uses it
import { Navigate, type NavigateProps, useNavigation } from 'react-router'
import { useIsLeaving } from './use-address.ts'

/** Leads to another address in place of this one. Waits while the user is leaving for a third. */
export const Redirect = ({ to, state }: Pick<NavigateProps, 'to' | 'state'>) => {
  const isLeaving = useIsLeaving()
  // Draws again when the user stays.
  useNavigation()
  return isLeaving() ? null : <Navigate replace to={to} state={state} />
}
