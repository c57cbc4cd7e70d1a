import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CardWords } from './card-texts.tsx'

/** Only addresses a browser loads without sending other data to their server. */
const isShowable = (address: string) => /^https:\/\/[^\s{}<>]+$|^data:image\//u.test(address)

/** A card's picture; a variable's name where it comes from one, and a word where the address is none of a picture. */
export const CardPicture = ({ address, ratio }: { readonly address: string; readonly ratio?: string | undefined }) => {
  const { t } = useTranslation('designer')
  const [failed, fail] = useState('')
  const [width, height] = (ratio ?? '').split(':').map(Number)
  const aspectRatio = width && height ? `${width} / ${height}` : undefined
  if (isShowable(address) && failed !== address) {
    return (
      <img
        className="pl-picture"
        style={{ aspectRatio }}
        src={address}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => fail(address)}
      />
    )
  }
  return (
    <span className="pl-picture" data-missing style={{ aspectRatio }}>
      {/[{<]/u.test(address) ? (
        <CardWords text={address} />
      ) : (
        <>
          <ImageOff size={18} aria-hidden />
          {t('card.noPicture')}
        </>
      )}
    </span>
  )
}
