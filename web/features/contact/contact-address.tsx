import { Navigate, useParams } from 'react-router'
import { CAMPAIGNS, campaignContactsAddress } from './address.ts'

/** /bot/campaign/contact/{campaign}: another address of a campaign's contacts. */
export const ContactAddress = () => {
  const { id } = useParams()
  return <Navigate replace to={id === undefined ? CAMPAIGNS : campaignContactsAddress(encodeURIComponent(id))} />
}
