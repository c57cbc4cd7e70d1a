import { useParams } from 'react-router'
import { usergroup } from '#schemas/entities/usergroup.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { RightsSection } from '#web/entity/form/permission/rights-section.tsx'

/** A group: its roles and parent, and what its members may do by both. */
export const GroupPage = () => {
  const { id = '' } = useParams()
  return (
    <EntityDetail
      key={id}
      entity={usergroup}
      id={id}
      listAt="/usergroup/search"
      below={() => <RightsSection entity="usergroup" id={id} />}
    />
  )
}
