import { Button } from '@chakra-ui/react'
import { FileUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { campaignuploadprofile } from '#schemas/entities/campaignuploadprofile.ts'
import { useSession } from '#web/api/session.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { mapContactsAddress } from '#web/features/contact/index.ts'

/** To a file that is tried and taken by the rules of the profile. */
const SendFile = ({ row: { id, campaign_id: campaign } }: { readonly row: Row }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  if (typeof campaign !== 'string' || !can('createcontact')) return null
  return (
    <Button asChild>
      <Link to={mapContactsAddress({ kind: 'campaign', id: campaign }, id)}>
        <FileUp size={15} aria-hidden="true" />
        {t('upload.do')}
      </Link>
    </Button>
  )
}

/** An upload profile: its form, and the way to a file that follows its rules. */
export const UploadProfilePage = () => {
  const { id = '' } = useParams()
  return (
    <EntityDetail
      entity={campaignuploadprofile}
      id={id}
      listAt="/campaignuploadprofile/search"
      actions={row => <SendFile row={row} />}
    />
  )
}
