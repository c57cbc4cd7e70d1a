import { Navigate, useParams } from 'react-router'
import { CAMPAIGNS, contactsAddress } from './address.ts'

/** /bot/campaign/contact/{campaign}: another address of a campaign's contacts. */
export const ContactAddress = () => {
  const { id } = useParams()
  return <Navigate replace to={id === undefined ? CAMPAIGNS : contactsAddress(encodeURIComponent(id))} />
}
