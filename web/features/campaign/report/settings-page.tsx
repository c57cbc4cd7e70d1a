import { Navigate, useParams } from 'react-router'
import { campaign } from '#schemas/entities/campaign.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { RunChip } from './status-chip.tsx'

const LIST = '/campaignmanagement/channel/app/campaign/search'

/** /campaign/settings/{id}: the form of a campaign and its history. */
export const CampaignSettingsPage = () => {
  const { id } = useParams()
  if (id === undefined) return <Navigate replace to={LIST} />
  return <EntityDetail entity={campaign} id={id} listAt={LIST} tab="settings" beside={row => <RunChip row={row} />} />
}
