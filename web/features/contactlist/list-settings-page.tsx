import { Navigate, useParams } from 'react-router'
import { contactlist } from '#schemas/entities/contactlist.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'

const LIST = '/contactlist/search'

/** /contactlist/settings/{id}: name, history and removal of a list. */
export const ListSettingsPage = () => {
  const { id } = useParams()
  if (id === undefined) return <Navigate replace to={LIST} />
  return <EntityDetail entity={contactlist} id={id} listAt={LIST} tab="settings" />
}
