//! What the app is allowed to do.

use backend::Receipt;
use contract::{Code, Failure, Row, command::Grant};
use wire::Context;

use super::{
    granting::{Permissions, refusal},
    names::{Meaning, NAMES, meaning},
    not_held,
};
use crate::{
    adb::{Phone, quote},
    system::{
        apps::not_installed,
        script::{Part, Script, text},
    },
};

/// The first Android whose shell may say that a refusal is final (API level of `pm set-permission-flags`).
const FLAGS_SINCE: u32 = 30;

/// Gives a permission, refuses it, or makes the app ask again. `name` is one of [`NAMES`] or Android's own.
///
/// # Errors
/// `INVALID_ARGS` for an unknown name; `android.setting-refused` where the app does not ask for it or the device keeps
/// it; `android.setting-not-held` where it stands otherwise after all.
pub async fn change(
    context: &Context,
    phone: &Phone,
    api: u32,
    app: &str,
    grant: Grant,
    name: &str,
) -> Result<Receipt, Failure> {
    let (user, before) = read(context, phone, app).await?;
    let meant = meant(&before, api, app, name)?;
    let steps: Vec<_> = meant.iter().flat_map(|permission| lines(api, user, app, grant, permission)).collect();
    let script = steps.iter().fold(Script::default(), |script, (_, line)| script.then(line));
    let answered = script.change(context, phone).await?;
    // The flags only sharpen what was done: an Android without them is told of below.
    let refused: Vec<_> = steps
        .iter()
        .zip(answered.reply())
        .filter(|((needed, _), _)| *needed)
        .map(|((_, _), part)| refusal(&part.text, name))
        .collect();
    if let Some(failure) = refused.iter().flatten().next().cloned() {
        // A flag that was set all the same is a change.
        let flagged = steps.iter().zip(answered.reply()).any(|((needed, _), part)| !needed && changed(part, name));
        if refused.iter().all(Option::is_some) && !flagged {
            let _proof = answered.refused(Row::AndroidSettingRefused, failure.message.clone());
            return Err(failure);
        }
        // Some of it was changed.
        answered.completed();
        return Err(failure);
    }
    answered.completed();
    let (_, after) = read(context, phone, app).await?;
    for permission in &meant {
        let stands = after.get(permission);
        if stands.granted != (grant == Grant::Grant) {
            let word = |granted: bool| if granted { "granted" } else { "not granted" };
            return Err(not_held(permission, word(grant == Grant::Grant), word(stands.granted)));
        }
    }
    Ok(Receipt { warnings: warnings(&meant, &before, &after, app, grant), ..Receipt::default() })
}

/// Whether a line may have changed something.
fn changed(part: &Part, name: &str) -> bool {
    part.exit == 0 && refusal(&part.text, name).is_none()
}

/// The permissions that are meant: those behind the name that the app asks for.
fn meant(before: &Permissions, api: u32, app: &str, name: &str) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = match meaning(name, api) {
        Meaning::Permissions(names) => names.into_iter().map(str::to_owned).collect(),
        Meaning::Nothing(why) => {
            return Err(super::refused(name, why));
        }
        Meaning::Unknown if name.contains('.') => vec![name.to_owned()],
        Meaning::Unknown => {
            return Err(Failure::refused(
                Row::DaemonProtocolBadArguments,
                Code::InvalidArgs,
                format!("there is no permission {name:?} on Android"),
            )
            .reason("permission_unknown")
            .hint(format!("one of {}, or Android's own name: android.permission.CAMERA", NAMES.join(", "))));
        }
    };
    let meant: Vec<_> = names.iter().filter(|name| before.requested.contains(name)).cloned().collect();
    if !meant.is_empty() {
        return Ok(meant);
    }
    Err(Failure::refused(
        Row::AndroidSettingRefused,
        Code::CommandFailed,
        format!("{app} does not ask for {}", names.join(" or ")),
    )
    .reason("permission_not_requested")
    .hint("an app can only be given what its manifest asks for"))
}

/// The lines for one permission, and whether each is needed or only sharpens the one before.
fn lines(api: u32, user: u32, app: &str, grant: Grant, permission: &str) -> Vec<(bool, String)> {
    let user = user.to_string();
    let pm =
        |word: &str, flags: &[&str]| quote::line(["pm", word, "--user", &user, app, permission].iter().chain(flags));
    let flags = ["user-set", "user-fixed"];
    let mut lines = match grant {
        Grant::Grant => vec![(true, pm("grant", &[]))],
        Grant::Deny | Grant::Reset => vec![(true, pm("revoke", &[]))],
    };
    if api >= FLAGS_SINCE {
        match grant {
            // Or what was refused for good once would be refused for good when it is taken again.
            Grant::Grant => lines.push((false, pm("clear-permission-flags", &["user-fixed"]))),
            Grant::Deny => lines.push((false, pm("set-permission-flags", &flags))),
            Grant::Reset => lines.push((false, pm("clear-permission-flags", &flags))),
        }
    }
    lines
}

/// What the caller should know of it.
fn warnings(meant: &[String], before: &Permissions, after: &Permissions, app: &str, grant: Grant) -> Vec<String> {
    let mut warnings = Vec::new();
    let taken = grant != Grant::Grant && meant.iter().any(|name| before.get(name).granted);
    if taken {
        warnings.push(format!("{app} held it, so Android ended the app: open it again"));
    }
    if grant == Grant::Deny && meant.iter().any(|name| !after.get(name).fixed) {
        warnings.push("refused for now: this Android lets the app ask again".to_owned());
    }
    if grant == Grant::Reset && meant.iter().any(|name| after.get(name).fixed) {
        warnings.push("not granted, but this Android keeps refusing it without a question".to_owned());
    }
    warnings
}

/// The current user, and how the app's permissions stand for that user.
async fn read(context: &Context, phone: &Phone, app: &str) -> Result<(u32, Permissions), Failure> {
    let script = Script::of("am get-current-user").then(quote::line(["dumpsys", "package", app]));
    let parts = script.look(context, phone).await?;
    let user = text(&parts, 0).trim().parse().unwrap_or(0);
    let permissions = Permissions::read(text(&parts, 1), user).ok_or_else(|| not_installed(app))?;
    Ok((user, permissions))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(names: &[&str]) -> Permissions {
        Permissions { requested: names.iter().map(|name| (*name).to_owned()).collect(), ..Permissions::default() }
    }

    #[test]
    fn of_a_group_only_what_the_app_asks_for_is_meant() {
        let app = asks(&["android.permission.ACCESS_COARSE_LOCATION", "com.example.OWN"]);
        assert_eq!(meant(&app, 34, "a", "location").unwrap(), ["android.permission.ACCESS_COARSE_LOCATION"]);
        assert_eq!(meant(&app, 34, "a", "com.example.OWN").unwrap(), ["com.example.OWN"]);
        for (name, reason) in [
            ("camera", "permission_not_requested"),
            ("siri", "permission_unknown"),
            ("android.permission.NOPE", "permission_not_requested"),
        ] {
            assert_eq!(meant(&app, 34, "a", name).unwrap_err().reason_str(), Some(reason), "{name}");
        }
        assert_eq!(meant(&app, 30, "a", "notifications").unwrap_err().reason_str(), Some("setting_refused"));
    }

    #[test]
    fn a_refusal_is_made_final_where_android_can() {
        let said = |api, grant| {
            lines(api, 10, "com.example", grant, "p.Q").into_iter().map(|(_, line)| line).collect::<Vec<_>>()
        };
        assert_eq!(
            said(34, Grant::Grant),
            ["pm grant --user 10 com.example p.Q", "pm clear-permission-flags --user 10 com.example p.Q user-fixed"]
        );
        assert_eq!(
            said(34, Grant::Deny),
            [
                "pm revoke --user 10 com.example p.Q",
                "pm set-permission-flags --user 10 com.example p.Q user-set user-fixed"
            ]
        );
        assert_eq!(said(28, Grant::Reset), ["pm revoke --user 10 com.example p.Q"]);
    }
}
