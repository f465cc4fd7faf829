#ifndef ALEA_MATCH_SIGNATURE_H
#define ALEA_MATCH_SIGNATURE_H

/* Signatures of match records, as ggp-base's managers write them.
 *
 * The key `matchHostPK` has the host's public key, `matchHostSignature` an RSA
 * signature (PKCS #1 v1.5, SHA-1) of the record in canonical form: the record
 * with the public key and without the signature, keys sorted, no spaces,
 * strings and numbers as Java's org.json writes them.  Keys are the digit 0 and
 * base64 of the DER encoding (SubjectPublicKeyInfo, PKCS #8); a signature is A0
 * and base64.  A pair of keys is a file {"PK": "0...", "SK": "0..."}.
 *
 * SHA-1 protects against mistakes and idle forgery, not against somebody who
 * can make collisions; the format has nothing else. */

#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"

typedef enum alea_signature_verdict {
  ALEA_SIGNATURE_NONE,  /* the record is not signed */
  ALEA_SIGNATURE_GOOD,  /* by the key in the record */
  ALEA_SIGNATURE_WRONG, /* it does not belong to this record, or is no signature */
} alea_signature_verdict;

/* Checks the signature of a record in JSON.  Records in XML have none. */
alea_signature_verdict alea_signature_check(const char *record, size_t length);

/* Adds key and signature to a record, one JSON object.  'keys' is the text of a
 * file of keys named 'name'.  ALEA_INPUT: 'diag' says what is wrong with it. */
alea_status alea_signature_add(alea_text *record, const char *keys, size_t length, const char *name,
                               alea_diag *diag);

#endif
