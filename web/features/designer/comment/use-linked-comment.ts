import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { useDesigner } from '../session/designer.ts'
import { type LedTo, ledToQuery } from './thread.ts'

/** The comment in the address: its place, or that it was removed. `going` changes with each navigation. */
export const useLedTo = (): { readonly led: LedTo | undefined; readonly gone: boolean; readonly going: string } => {
  const { address } = useDesigner()
  const { key } = useLocation()
  // The address itself: the selected block is written into it without the router.
  const comment = new URLSearchParams(location.search).get(DESIGNER_QUERY.comment)
  const { data, isError } = useQuery({ ...ledToQuery(address, comment ?? ''), enabled: comment !== null })
  return { led: comment === null ? undefined : data, gone: isError, going: key }
}
